/** The numbers of some lines or turns: `12`, or `12-20`, as a mention takes them. */
export function rangeText(first: number, last: number): string {
  return first === last ? String(first) : `${first}-${last}`;
}
