import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../src/shell/io.ts'
import { openRealPlatform, type RealPlatform } from '../end-to-end/real-platform.ts'
import { githubWithPullRequest, onlyComment, pullRequestJob } from '../reconcile/pull-request/step.ts'
import { holdfast } from '../reconcile/run-command.ts'
import { workspace } from '../reconcile/workspace.ts'

// The plan that the pictures show: the sample model is applied to an empty platform, then changed here and there.

const ROOT = join(import.meta.dirname, '../..')
const COLUMNS = 78
const URL_OF_PLATFORM = 'https://acme.example.com'

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

/** A change on the platform, beside Git. */
const BESIDE = `mutation { updateCharacteristic(code: "flow-temperature", input: { name: "Supply temperature" }) { uuid } }`

export interface SamplePlan {
  /** As a terminal shows it, with its colours. */
  readonly terminal: string
  /** The comment on the pull request, as GitHub is sent it. */
  readonly comment: string
}

export async function makeSamplePlan(): Promise<SamplePlan> {
  const platform = await openRealPlatform()
  try {
    return await planOn(platform)
  } finally {
    await platform.close()
  }
}

async function planOn({ parts, graphql }: RealPlatform): Promise<SamplePlan> {
  const cwd = workspace()
  cpSync(join(ROOT, 'models'), join(cwd, 'models'), { recursive: true })
  const github = await githubWithPullRequest()
  const embedded = await parts.openEmbedded?.({ dataDir: cwd, env: {} })
  if (embedded === undefined) throw new Error('there is no platform')
  const reach = (request: Request) => (request.url.startsWith(github.url) ? fetch(request) : embedded.fetch(request))
  const secrets = { ...secretsOf(cwd), HOLDFAST_URL: URL_OF_PLATFORM, HOLDFAST_TOKEN: embedded.token }
  const command = async (line: string, more: Environment = {}): Promise<string> => {
    const terminal = { isTerminal: true, columns: COLUMNS }
    const { code, stdout, stderr } = await holdfast(line, {
      cwd,
      fetch: reach,
      env: { ...secrets, ...more },
      ...(more['FORCE_COLOR'] === undefined ? {} : terminal),
    })
    if (code !== 0) throw new Error(`${line} ended with ${code}: ${stdout}${stderr}`)
    return stdout
  }
  await command('apply --yes')
  await graphql(BESIDE)
  for (const [file, from, to] of EDITS) edit(join(cwd, 'models', file), from, to)
  const terminal = await command('plan', { FORCE_COLOR: '1' })
  await command('plan --comment', github.environment(pullRequestJob()))
  return { terminal: withoutChance(terminal), comment: withoutChance(onlyComment(github)) }
}

/** Replaces what differs each time: when, which digests, and the invisible mark with packed changes. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?= UTC)/g, '2026-11-28 19:02')
    .replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:a12cde937c400e0fcb3aea6e25cb70b62d4eadcd56779f02e9ed0ef040e783e7')
    .replaceAll(/<!--[^]*?-->/g, '')
}

/** A value for each secret that the models refer to. */
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
