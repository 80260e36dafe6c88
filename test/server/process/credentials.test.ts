import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readCredentials, writeCredentials } from '../../../src/server/process/credentials.ts'
import { dataKey } from '../../../src/server/process/private-file.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'holdfast-credentials-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const SAMPLE = { clientId: 'holdfast-cli.0123abcd', clientSecret: 'a secret', username: 'operator', password: 'a word' }
const modeOf = (name: string) => statSync(join(dataDir, name)).mode & 0o777

describe('the credentials of a data directory', () => {
  it('are there once they are written, for their owner only', () => {
    expect(readCredentials(dataDir)).toBeNull()
    writeCredentials(dataDir, SAMPLE)
    expect(readCredentials(dataDir)).toStrictEqual(SAMPLE)
    writeCredentials(dataDir, { ...SAMPLE, password: 'another' })
    expect(readCredentials(dataDir)).toMatchObject({ password: 'another' })
    expect(modeOf('credentials.json')).toBe(0o600)
    expect(readdirSync(dataDir)).toStrictEqual(['.gitignore', 'credentials.json'])
  })

  it('are written as a token request names them', () => {
    writeCredentials(dataDir, SAMPLE)
    const { clientId, clientSecret, username, password } = SAMPLE
    const file: unknown = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8'))
    expect(file).toStrictEqual({ client_id: clientId, client_secret: clientSecret, username, password })
  })

  it.each(['', '{}', '{"client_id": 1}', '{"client_id":"a","client_secret":"","username":"c","password":"d"}'])(
    'are not guessed where the file is broken: %s',
    (text) => {
      writeFileSync(join(dataDir, 'credentials.json'), text)
      expect(() => readCredentials(dataDir)).toThrow(
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

  it('is not mixed with that of a process of the same number in another container', () => {
    const unfinished = join(dataDir, `key.${process.pid}.new`)
    writeFileSync(unfinished, 'of the other')
    dataKey(dataDir)
    expect(readFileSync(unfinished, 'utf8')).toBe('of the other')
  })

  it('is not replaced where the file is broken', () => {
    writeFileSync(join(dataDir, 'key'), 'short')
    expect(() => dataKey(dataDir)).toThrow('does not hold a key of 32 bytes')
  })
})
