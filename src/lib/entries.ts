// Use these functions only for objects with exactly the members of their type, such as a constant or a database row.

export function keysOf<Key extends string>(object: { readonly [key in Key]?: unknown }): Key[] {
  return Object.keys(object) as Key[]
}

export function entriesOf<Key extends string, Value>(object: { readonly [key in Key]?: Value }): [Key, Value][] {
  return Object.entries(object) as [Key, Value][]
}
