-- When the problems of each buffer last changed, in nanoseconds; noted from the start of Neovim on.
return {}
