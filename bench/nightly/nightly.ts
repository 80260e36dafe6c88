import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { githubForge } from '../../src/reconcile/forge/github.ts'
import type { Io } from '../../src/shell/io.ts'
import { parseBaseline } from '../baselines.ts'
import { commitText } from '../commit.ts'
import { makeDocument } from '../documents.ts'
import { BENCHES, cpuFigures, type Figures, type ReportName } from './cpu-figures.ts'
import { keepIssue } from './keep-issue.ts'
import { slowerFigures, withNight, type Night } from './slower.ts'

// node bench/nightly/nightly.ts --nights FILE [BENCH …]: runs the benches, adds their processor times to the file, and
// compares them with the nights before. In a job with GITHUB_TOKEN it keeps an issue; elsewhere it says what is slower.

const run = promisify(execFile)
const { values, positionals } = parseArgs({ options: { nights: { type: 'string' } }, allowPositionals: true })
const file = values.nights ?? '.bench/nights.json'
const failed: string[] = []
const MUCH = { maxBuffer: 16_777_216 }

const nights = withNight(readNights(), { commit: commitText(), at: new Date().toISOString(), figures: await measure() })
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${JSON.stringify(nights)}\n`)
const slower = slowerFigures(nights)
for (const { name, before, last } of slower) process.stdout.write(`${name}: ${before} → ${last.join(', ')}\n`)
const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository = '', GITHUB_API_URL: apiUrl = '' } = process.env
if (token !== undefined) {
  const [owner = '', repo = ''] = repository.split('/')
  await keepIssue(await githubForge({ token, apiUrl, owner, repo }, ownIo()), slower, nights)
}
if (failed.length > 0) {
  process.stderr.write(`these benches failed: ${failed.join(', ')}\n`)
  process.exitCode = 1
}

function readNights(): readonly Night[] {
  // Nobody else writes this file.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Night[]) : []
}

async function measure(): Promise<Figures> {
  let figures: Figures = {}
  for (const name of wanted()) {
    process.stderr.write(`${name} …\n`)
    const unit = (await parseBaseline(makeDocument(10_000), 11)).processor
    try {
      const { file: script, words } = BENCHES[name]
      const report = await run(process.execPath, [join(import.meta.dirname, '..', script), ...words], MUCH)
      figures = { ...figures, ...cpuFigures(name, report.stdout, unit) }
    } catch (error) {
      failed.push(`${name} (${String(error).slice(0, 2_000)})`)
    }
  }
  return figures
}

function wanted(): readonly ReportName[] {
  const names = Object.keys(BENCHES) as ReportName[]
  return positionals.length === 0 ? names : names.filter((name) => positionals.includes(name))
}

function ownIo(): Io {
  const { signal } = new AbortController()
  const output = { write: (text: string) => void process.stderr.write(text), isTerminal: false }
  return {
    stdout: output,
    stderr: output,
    env: process.env,
    cwd: process.cwd(),
    signal,
    ask: null,
    fetch: (request) => fetch(request),
    now: Date.now,
    wait: (milliseconds) => wait(milliseconds),
  }
}
