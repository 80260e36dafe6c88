import { HoldfastError } from '../../lib/errors.ts'

/** One thing that a command depends on. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  /** The finding; for a problem, also the remedy. */
  readonly message: string
}

export function ok(name: string, message: string): Check {
  return { name, ok: true, message }
}

export function problem(name: string, message: string): Check {
  return { name, ok: false, message }
}

/** Turns an expected error into a problem with its message. Unexpected errors are thrown. */
export async function checked(name: string, work: () => string | Promise<string>): Promise<Check> {
  try {
    return ok(name, await work())
  } catch (error) {
    if (error instanceof HoldfastError) return problem(name, error.message)
    throw error
  }
}
