import type { JsonObject } from '../../src/lib/json.ts'
import { characteristic } from '../reconcile/sample.ts'
import { holdfast, type Outcome, type SessionOptions } from '../reconcile/run-command.ts'
import { workspace } from '../reconcile/workspace.ts'
import type { RealPlatform } from './real-platform.ts'

/** Models of a few characteristics. */
export function characteristics(...codes: readonly string[]): string {
  return JSON.stringify({ characteristics: codes.map((code) => characteristic(code)) })
}

/** What the tests begin with. */
export const BEFORE = characteristics('a', 'b')

export type Run = (line: string, cwd: string, more?: Partial<SessionOptions>) => Promise<Outcome>

/** Runs commands against a platform that is there for all of them. */
export function runnerOn(platform: () => RealPlatform): Run {
  return (line, cwd, more = {}) => holdfast(line, { cwd, parts: platform().parts, ...more })
}

/** A directory whose models are applied. */
export async function applied(run: Run, models = BEFORE): Promise<string> {
  const cwd = workspace({ 'models/a.json': models })
  const { code, stderr } = await run('apply --yes', cwd)
  if (code !== 0) throw new Error(stderr)
  return cwd
}

export function json({ stdout }: Outcome): JsonObject {
  return JSON.parse(stdout) as JsonObject
}

/** Undefined if the answer is no error. */
export function errorCode(outcome: Outcome): unknown {
  return (json(outcome)['error'] as JsonObject | undefined)?.['code']
}
