import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { cpuFigures, type Night, type ReportName } from '../../bench/nightly.ts'
import { isLong } from '../support/runs.ts'

const PROGRAM = new URL('../../bench/run.ts', import.meta.url).pathname

const run = (...words: readonly string[]) => promisify(execFile)(process.execPath, [PROGRAM, ...words])

// One without servers, and one with PostgreSQL and a server; a minute of both processors.
it.runIf(isLong).each(['codec', 'sign-in'] as readonly ReportName[])(
  'prints a quick report of %s and leaves the written one alone',
  async (name) => {
    const written = new URL(`../../bench/${name}.md`, import.meta.url)
    const before = statSync(written).mtimeMs
    const { stdout: report } = await run(name, '--quick')
    expect(report).toMatch(/^# .+: measured\n\nWritten by `npm run bench:.+` on \d{4}-\d\d-\d\d of commit [\da-f]{10}/)
    expect(Object.keys(cpuFigures(name, report)).length).toBeGreaterThan(2)
    expect(report).not.toContain('NaN')
    expect(statSync(written).mtimeMs).toBe(before)
  },
  120_000,
)

it.each([
  ['a bench', ['nothing'], 'there is no bench nothing; possible are results, codec'],
  ['a size', ['codec', '--size', 'huge'], 'there is no size huge; possible are whole, night, quick'],
])('names %s that does not exist', async (_, words, message) => {
  await expect(run(...words)).rejects.toThrow(message)
})

it('adds a night to the file of nights, even if it names no bench', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-nights-'))
  try {
    const file = join(directory, 'nights.json')
    const program = new URL('../../bench/nightly.ts', import.meta.url).pathname
    const { GITHUB_TOKEN: _, ...env } = process.env
    await promisify(execFile)(process.execPath, [program, '--nights', file, 'none'], { env })
    const nights = JSON.parse(readFileSync(file, 'utf8')) as readonly Night[]
    expect(nights.map(({ figures }) => figures)).toStrictEqual([{}])
  } finally {
    rmSync(directory, { recursive: true })
  }
})
