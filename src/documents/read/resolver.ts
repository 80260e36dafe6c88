/** Looks up what `${env:NAME}` and `${file:PATH}` stand for; undefined where it cannot be found. */
export interface ReferenceResolver {
  env(name: string): string | undefined
  /** `path` as written, `from` the file that holds the reference. */
  file(path: string, from: string): string | undefined
}
