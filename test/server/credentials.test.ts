import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureCredentials, readCredentials } from '../../src/server/credentials.ts'
import { dataKey } from '../../src/server/data-key.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'holdfast-credentials-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const RANDOM = { bootstrapSecret: null, bootstrapPassword: null }
const modeOf = (name: string) => statSync(join(dataDir, name)).mode & 0o777

describe('the credentials of a data directory', () => {
  it('are made once', () => {
    expect(readCredentials(dataDir)).toBeNull()
    const { path, made, ...first } = ensureCredentials(dataDir, RANDOM)
    expect(path).toBe(join(dataDir, 'credentials.json'))
    expect(made).toStrictEqual(['clientSecret', 'password'])
    expect(first.clientId).toMatch(/^holdfast-cli\.[0-9a-f]{8}$/)
    expect(ensureCredentials(dataDir, RANDOM)).toStrictEqual({ ...first, path, made: [] })
    expect(readCredentials(dataDir)).toStrictEqual(first)
    expect(modeOf('credentials.json')).toBe(0o600)
    expect(readdirSync(dataDir)).toStrictEqual(['credentials.json'])
  })

  it('are written as a token request names them', () => {
    const { clientId, clientSecret, username, password } = ensureCredentials(dataDir, RANDOM)
    const file: unknown = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8'))
    expect(file).toStrictEqual({ client_id: clientId, client_secret: clientSecret, username, password })
  })

  it('follow the environment, and are then nobody else to be told', () => {
    const { clientId } = ensureCredentials(dataDir, RANDOM)
    const wanted = { bootstrapSecret: 'secret-from-outside', bootstrapPassword: 'password from outside' }
    expect(ensureCredentials(dataDir, wanted)).toMatchObject({
      clientId,
      clientSecret: 'secret-from-outside',
      password: 'password from outside',
      made: [],
    })
    expect(readCredentials(dataDir)).toMatchObject({ clientSecret: 'secret-from-outside' })
    expect(modeOf('credentials.json')).toBe(0o600)
  })

  it.each(['', '{}', '{"client_id": 1}', '{"client_id":"a","client_secret":"","username":"c","password":"d"}'])(
    'are not replaced where the file is broken: %s',
    (text) => {
      writeFileSync(join(dataDir, 'credentials.json'), text)
      expect(() => ensureCredentials(dataDir, RANDOM)).toThrow(
        /credentials.json does not hold .* remove it to have new ones made/,
      )
    },
  )
})

describe('the key of a data directory', () => {
  it('is made once', () => {
    const key = dataKey(dataDir)
    expect(key).toHaveLength(32)
    expect(dataKey(dataDir)).toStrictEqual(key)
    expect(modeOf('key')).toBe(0o600)
  })

  it('is not replaced where the file is broken', () => {
    writeFileSync(join(dataDir, 'key'), 'short')
    expect(() => dataKey(dataDir)).toThrow('does not hold a key of 32 bytes')
  })
})
