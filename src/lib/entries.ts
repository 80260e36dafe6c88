// For objects that have no other members than their type says, such as a constant or a row of the database.

export function keysOf<Key extends string>(object: { readonly [key in Key]?: unknown }): Key[] {
  return Object.keys(object) as Key[]
}

export function entriesOf<Key extends string, Value>(object: { readonly [key in Key]?: Value }): [Key, Value][] {
  return Object.entries(object) as [Key, Value][]
}
