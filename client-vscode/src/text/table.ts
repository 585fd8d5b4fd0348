/** A table that is asked by names of others, such as of a tool that a model made up: without the names that every object of JavaScript has, like `constructor`. */
export function table<T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), rows);
}
