import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../src/server/process/embedded.ts'
import type { Environment, Io, ServerParts } from '../src/shell/io.ts'
import { run } from '../src/reconcile/run.ts'

// The plan that README.md shows, in the colours of a terminal: the sample model is applied to a platform of its own, then
// changed here and there: `node scripts/plan-picture.ts | node scripts/terminal-picture.ts > docs/plan.svg`.

const ROOT = join(import.meta.dirname, '..')
const COLUMNS = 78

/** In the file of the sample, what is replaced by what. */
const EDITS: readonly (readonly [file: string, from: RegExp, to: string])[] = [
  ['heating.yaml', /(?<=code: flow-temperature\n(?:.*\n){7}.*boundaryMax: )110/, '95'],
  ['heating.yaml', /(?<=code: (?:thermal-power|electrical-power-input)\n(?:.*\n){3}.*symbol: )kW/g, 'W'],
  ['heating.yaml', /code: hot-water-setpoint/g, 'code: hot-water-target'],
  [
    'holdfast.yaml',
    /^moved: \[\]/m,
    'moved: [{ type: characteristics, from: hot-water-setpoint, to: hot-water-target }]',
  ],
  ['events.yaml', / {2}- code: heat-pump-fault\n(?: {4}.*\n)+/, ''],
  ['organizations.yaml', / {2}- name: Baumann Heating Services\n(?: {4}.*\n)+/, ''],
  ['access.yaml', / {2}- email: mira.baumann@baumann.example\n(?: {4}.*\n)+/, ''],
  ['access.yaml', /(?<=email: desk@baumann.example\n(?:.*\n){1}.*alias: )baumann/, 'utilities'],
]

/** What somebody has changed on the platform, beside Git. */
const BESIDE = `mutation { updateCharacteristic(code: "flow-temperature", input: { name: "Supply temperature" }) { uuid } }`

type Open = ServerParts['openEmbedded']

if (import.meta.main) process.stdout.write(await planOfPicture(openEmbedded))

/** On a platform that is empty. */
export async function planOfPicture(open: Open): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-picture-'))
  try {
    cpSync(join(ROOT, 'models'), join(directory, 'models'), { recursive: true })
    const env = { ...secretsOf(directory), FORCE_COLOR: '1', HOLDFAST_DATA_DIR: join(directory, '.holdfast') }
    await command(['apply', '--yes'], { directory, env, open })
    await changeBeside(await open({ dataDir: join(directory, '.holdfast'), env }))
    for (const [file, from, to] of EDITS) edit(join(directory, 'models', file), from, to)
    return await command(['plan'], { directory, env, open })
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Some for every one that the models refer to. */
function secretsOf(directory: string): Environment {
  const texts = globSync(`${directory}/models/*`).map((file) => readFileSync(file, 'utf8'))
  const names = texts.flatMap((text) => [...text.matchAll(/\$\{env:(\w+)\}/g)].map(([, name = '']) => name))
  return Object.fromEntries(names.map((name) => [name, crypto.randomUUID()]))
}

function edit(path: string, from: RegExp, to: string): void {
  const text = readFileSync(path, 'utf8')
  if (text.search(from) < 0) throw new Error(`${path} has no ${from.source}`)
  writeFileSync(path, text.replace(from, to))
}

async function changeBeside(platform: Awaited<ReturnType<Open>>): Promise<void> {
  const headers = { authorization: `Bearer ${platform.token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ query: BESIDE })
  const answer = await platform.fetch(new Request('http://localhost/graphql', { method: 'POST', headers, body }))
  await platform.close()
  const { errors } = (await answer.json()) as { errors?: unknown }
  if (errors !== undefined) throw new Error(JSON.stringify(errors))
}

interface Place {
  readonly directory: string
  readonly env: Environment
  readonly open: Open
}

/** What a command writes on a terminal. */
async function command(words: readonly string[], { directory, env, open }: Place): Promise<string> {
  let written = ''
  const io: Io = {
    stdout: { write: (text) => void (written += text), isTerminal: true, columns: COLUMNS },
    stderr: { write: (text) => void process.stderr.write(text), isTerminal: false },
    env,
    cwd: directory,
    signal: new AbortController().signal,
    ask: null,
    fetch: (request) => fetch(request),
    now: () => Date.now(),
    wait: () => Promise.resolve(),
  }
  const parts = {
    openEmbedded: open,
    runningServer: () => Promise.resolve(null),
    serve: refuse,
    generatedFiles: refuse,
  }
  const code = await run([...words], { io, parts })
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${written}`)
  return written
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('a picture needs no server'))
}
