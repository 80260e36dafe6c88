import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../../src/lib/json.ts'
import { FakePlatform } from '../fake-platform.ts'
import { holdfast, type SessionOptions } from '../run-command.ts'
import { characteristic } from '../sample.ts'
import { workspace, type Files } from '../workspace.ts'

export const TEXT = `characteristics:
  - code: a # first
    name: A
    characteristicType: MEASUREMENT
    dataType: FLOAT
  - { code: b, name: B, characteristicType: MEASUREMENT, dataType: FLOAT }
`

/** A platform on which somebody has changed the symbol of one record, deleted another, and made a third. */
export function drifted(files: Files = { 'models/a.yaml': TEXT }, live: readonly JsonObject[] = CHANGED) {
  const cwd = workspace(files)
  const platform = new FakePlatform({ characteristics: live })
  platform.isDrifted = true
  return {
    cwd,
    platform,
    run: (line: string, more: Partial<SessionOptions> = {}) => holdfast(line, { cwd, platform, ...more }),
    read: (path = 'models/a.yaml') => readFileSync(join(cwd, path), 'utf8'),
  }
}

const CHANGED = [characteristic('a', { symbol: 'K' }), characteristic('c')]
