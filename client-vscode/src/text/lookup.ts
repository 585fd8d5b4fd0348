/**
 * Rows that are asked for by names of others, such as of a tool that a model made up: without the names
 * that every object of JavaScript has, like `constructor`.
 */
export function lookup<T>(rows: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.assign(Object.create(null), rows);
}
