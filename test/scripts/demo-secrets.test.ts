import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeDemoSecrets } from '../../scripts/demo-secrets.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'demo-secrets-'))
  mkdirSync(join(directory, 'models/deep'), { recursive: true })
})

afterEach(() => rmSync(directory, { recursive: true }))

test('makes a strong value for every name that is set nowhere, readable by nobody else', () => {
  model('access.yaml', 'machineUsers: [{ username: a, password: "${env:A_PASSWORD}" }]')
  model('deep/more.json', '{"applicationConsumers": [{"secret": "${env:B_SECRET}"}]}')
  expect(run()).toBe('Made demo secrets in .env: A_PASSWORD, B_SECRET\n')
  const { A_PASSWORD, B_SECRET } = secrets()
  expect(A_PASSWORD).toMatch(/^[\w-]{43}$/)
  expect(B_SECRET).not.toBe(A_PASSWORD)
  expect(statSync(join(directory, '.env')).mode & 0o777).toBe(0o600)
})

test('a second run makes nothing and says nothing', () => {
  model('access.yaml', 'machineUsers: [{ username: a, password: "${env:A_PASSWORD}" }]')
  run()
  const before = secrets()
  expect(run()).toBe('')
  expect(secrets()).toEqual(before)
})

test('keeps what is in .env and in the environment', () => {
  model(
    'access.yaml',
    'machineUsers: [{ password: "${env:FROM_FILE}" }, { password: "${env:FROM_SHELL}" }, { password: "${env:NEW}" }]',
  )
  writeFileSync(join(directory, '.env'), 'FROM_FILE=mine')
  expect(run({ FROM_SHELL: 'ours' })).toBe('Made demo secrets in .env: NEW\n')
  expect(secrets()).toEqual({ FROM_FILE: 'mine', NEW: expect.any(String) })
})

test('comments and escaped references ask for nothing', () => {
  model('access.yaml', '# ${env:COMMENT}\nservices: [{ code: a, name: "$${env:LITERAL}" }]')
  expect(run()).toBe('')
  expect(existsSync(join(directory, '.env'))).toBe(false)
})

test('invents no secret for a real platform', () => {
  model('access.yaml', 'machineUsers: [{ password: "${env:A_PASSWORD}" }]')
  expect(run({ HOLDFAST_URL: 'https://platform.example' })).toBe('')
  expect(existsSync(join(directory, '.env'))).toBe(false)
})

function model(path: string, text: string): void {
  writeFileSync(join(directory, 'models', path), text)
}

function run(env: { [name: string]: string } = {}): string {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    makeDemoSecrets(directory, env)
    return stderr.mock.calls.map(([text]) => text).join('')
  } finally {
    stderr.mockRestore()
  }
}

function secrets(): { [name: string]: string | undefined } {
  return parseEnv(readFileSync(join(directory, '.env'), 'utf8'))
}
