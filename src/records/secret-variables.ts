import type { RecordType } from './record-type.ts'

/** Names the environment variables that stand for secrets in files. No two records get the same one. */
export class SecretVariables {
  readonly #taken: Set<string>
  /** By the name of a variable, the first number that is not used yet. */
  readonly #next = new Map<string, number>()

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken)
  }

  /** The reference for the secret of a record, e.g. `${env:MACHINE_USER_GATEWAY_PASSWORD}`. */
  referenceFor(type: RecordType, key: string): string {
    const words = [type.definition.replace(/(?<=[a-z])(?=[A-Z])/g, '_'), key, type.secret ?? '']
    const name = words
      .join('_')
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
    let free = name
    let n = this.#next.get(name) ?? 2
    for (; this.#taken.has(free); n += 1) free = `${name}_${n}`
    this.#next.set(name, n)
    this.#taken.add(free)
    return `\${env:${free}}`
  }
}
