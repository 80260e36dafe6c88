// These functions implement JSON Pointer, RFC 6901. The same escaping joins the parts of a composite record key.

export function escapePart(part: string): string {
  return part.includes('~') || part.includes('/') ? part.replaceAll('~', '~0').replaceAll('/', '~1') : part
}

export function unescapePart(part: string): string {
  return part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part
}

/** `['a/b', 0]` → `/a~1b/0` */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((part) => `/${escapePart(String(part))}`).join('')
}

/** `/a~1b/0` → `['a/b', '0']`. The empty pointer means the whole document. */
export function fromPointer(pointer: string): string[] {
  return pointer === '' ? [] : pointer.slice(1).split('/').map(unescapePart)
}

/** Tells whether a pointer is in a set of pointers, or leads into the value at one of them. */
export function isWithin(pointer: string, values: ReadonlySet<string>): boolean {
  let end = pointer.length
  while (end > 0 && !values.has(pointer.slice(0, end))) end = pointer.lastIndexOf('/', end - 1)
  return end > 0 || values.has('')
}
