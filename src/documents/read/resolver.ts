/** Looks up `${env:NAME}` and `${file:PATH}`; undefined where there is no such value. */
export interface ReferenceResolver {
  env(name: string): string | undefined
  /** `path` is the path as written, and `from` is the file that has the reference. */
  file(path: string, from: string): string | undefined
}
