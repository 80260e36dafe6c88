import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Adds a member to each closed set in a copy of the tree: the compiler must name every place that has to decide about it.

const project = fileURLToPath(new URL('../', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'holdfast-closed-sets-'))

interface NewMember {
  readonly name: string
  readonly file: string
  readonly before: string
  readonly after: string
  /** The files that must decide. */
  readonly decidedIn: readonly string[]
}

const NEW_MEMBERS: readonly NewMember[] = [
  {
    name: 'COLOR',
    file: 'generated/import-document.ts',
    before: 'export type DataType =\n ',
    after: "export type DataType = 'COLOR' |\n ",
    decidedIn: ['src/records/data-types/data-type.ts'],
  },
  {
    name: 'rooms',
    file: 'generated/plan.ts',
    before: 'export interface Impact {\n',
    after: 'export interface Impact {\n  rooms?: Count\n',
    decidedIn: ['src/store/datapoints/points/impact.ts'],
  },
  {
    name: 'doors:open',
    file: 'src/auth/scopes.ts',
    before: "  'self:read',\n",
    after: "  'doors:open',\n  'self:read',\n",
    decidedIn: ['src/auth/roles.ts', 'src/auth/scopes.ts'],
  },
  {
    name: 'IN_USE',
    file: 'src/lib/errors.ts',
    before: "  'CONFLICT',\n",
    after: "  'CONFLICT',\n  'IN_USE',\n",
    decidedIn: ['src/platform/imports/applying/apply-outcome.ts', 'src/server/requests/error-kinds.ts'],
  },
  {
    name: 'PAUSED',
    file: 'generated/entities.ts',
    before: 'export type SetpointState = ',
    after: "export type SetpointState = 'PAUSED' | ",
    decidedIn: ['src/datapoints/setpoint-state.ts'],
  },
  {
    name: 'Room',
    file: 'generated/entities.ts',
    before: 'export interface Entities {\n',
    after: "export interface Entities {\n  Room: Entities['System']\n",
    decidedIn: ['src/records/entities.ts'],
  },
  {
    name: 'floors',
    file: 'generated/entities.ts',
    before: 'export interface SystemFilter {\n',
    after: 'export interface SystemFilter {\n  floors?: string[]\n',
    decidedIn: ['src/store/systems/systems.ts'],
  },
  {
    name: 'locations',
    file: 'src/records/record-type.ts',
    before: "  'users',\n",
    after: "  'users',\n  'locations',\n",
    decidedIn: ['src/records/registry.ts'],
  },
]

beforeAll(() => {
  for (const part of ['src', 'schemas', 'generated']) cpSync(join(project, part), join(copy, part), { recursive: true })
  symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'))
  writeFileSync(join(copy, 'package.json'), '{ "type": "module" }')
  for (const member of NEW_MEMBERS) edit(member)
  const { compilerOptions } = JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8')) as object & {
    compilerOptions: object
  }
  const files = NEW_MEMBERS.flatMap(({ decidedIn }) => decidedIn)
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function edit({ file, before, after }: NewMember): void {
  const text = readFileSync(join(copy, file), 'utf8')
  expect(text).toContain(before)
  writeFileSync(join(copy, file), text.replace(before, after))
}

test(
  'a new member of a closed set does not compile until each place has decided about it',
  { timeout: 180_000 },
  async () => {
    const tsc = join(project, 'node_modules/typescript/bin/tsc')
    const run = promisify(execFile)(process.execPath, [tsc, '--noEmit', '--pretty', 'false', '-p', copy], { cwd: copy })
    const { stdout } = await run.catch((error: unknown) => error as { stdout: string })
    const complaints = stdout.split('\n').filter((line) => /^\S/.test(line))
    for (const { name, decidedIn } of NEW_MEMBERS) {
      const about = complaints.filter((line) => line.includes(name))
      expect([...new Set(about.map((line) => line.replace(/\(.*/, '')))].sort()).toEqual(decidedIn.toSorted())
    }
  },
)
