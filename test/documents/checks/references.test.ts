import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeReferences, splitReferences } from '../../../src/documents/checks/value-references.ts'
import { linesOf, loadFiles, type Surroundings } from '../load-files.ts'

function loadName(name: string, around: Surroundings = {}) {
  const loaded = loadFiles({ 'a.json': JSON.stringify({ services: [{ name }] }) }, around)
  const [service] = loaded.document.services as [{ name: string }]
  return { name: service.name, lines: linesOf(loaded) }
}

const withPassword = (password: string) =>
  loadFiles({ 'a.json': JSON.stringify({ machineUsers: [{ username: 'ci', password }] }) })

const around = { env: { SITE: 'North', EMPTY: '', NESTED: '${env:SITE}' }, files: { 'key.pem': 'line 1\nline 2\r\n' } }

describe('references in text values', () => {
  test.each([
    ['${env:SITE}', 'North'],
    ['site ${env:SITE}, ${env:SITE}!', 'site North, North!'],
    ['${env:EMPTY}', ''],
    ['${file:key.pem}', 'line 1\nline 2'],
    ['$${env:SITE}', '${env:SITE}'],
    ['$$${env:SITE}', '$${env:SITE}'],
    ['$5 {a} $', '$5 {a} $'],
    // What a reference stands for is not looked at again.
    ['${env:NESTED}', '${env:SITE}'],
  ])('%s becomes %s', (written, resolved) => {
    expect(loadName(written, around)).toEqual({ name: resolved, lines: [] })
  })

  test.each(['${ENV}', '${env:}', '${env:1A}', '${env:A B}', '${file:}', '${secret:A}', '${}', '${env:SITE'])(
    '%s is malformed',
    (written) => {
      expect(loadName(written, around).lines).toEqual([
        `a.json:1:15: error malformed-reference: ${written} is not a reference: write \${env:NAME} or \${file:PATH}, or $\${ for a literal \${.`,
      ])
    },
  )

  test('${generated} is only for secrets, and for whole ones', () => {
    expect(loadName('a ${generated}').lines).toEqual([
      'a.json:1:15: error malformed-reference: ${generated} is only for secrets; write $${generated} for this text itself.',
    ])
    expect(loadName('a $${generated}')).toEqual({ name: 'a ${generated}', lines: [] })
    const loaded = withPassword('${generated}')
    expect({ lines: linesOf(loaded), document: loaded.document }).toEqual({
      lines: [],
      document: { machineUsers: [{ username: 'ci', password: '${generated}' }] },
    })
    expect(linesOf(withPassword('x${generated}'))).toEqual([
      'a.json:1:35: error malformed-reference: ${generated} must be the whole secret; remove the text around it.',
    ])
    expect(linesOf(withPassword('$${generated}'))).toContainEqual(
      'a.json:1:35: error looks-like-reference: the secret itself has the form of a reference; choose another one.',
    )
  })

  test('what cannot be found is an error that says what to do', () => {
    expect(loadName('${env:NOWHERE}').lines).toEqual([
      'a.json:1:15: error unresolved-reference: ${env:NOWHERE} cannot be resolved; set the environment variable NOWHERE.',
    ])
    expect(loadName('${file:no.pem}').lines).toEqual([
      'a.json:1:15: error unresolved-reference: ${file:no.pem} cannot be resolved; make the file no.pem readable.',
    ])
  })

  test('what they stand for must be text that can be stored, and is not shown', () => {
    expect(loadName('${env:BAD}', { env: { BAD: 'hush\0' } }).lines).toEqual([
      'a.json:1:15: error nul-character: the value of ${env:BAD} contains the character U+0000, which no database stores; remove it.',
    ])
  })

  test('they are found however they are written, and behind aliases', () => {
    const loaded = loadFiles(
      {
        'a.json': String.raw`{"services": ["\u0024{env:SITE}", "$\u007benv:SITE}"]}`,
        'b.yaml': 'services:\n  - "\\x24{env:SITE}"\n  - &a {name: "${env:SITE}"}\n  - *a\n  - "${env:\\\n    SITE}"\n',
      },
      around,
    )
    expect(loaded.document.services).toEqual(['North', 'North', 'North', { name: 'North' }, { name: 'North' }, 'North'])
  })

  test('property: an escaped text is read as itself', () => {
    const text = fc.array(fc.constantFrom('$', '{', '}', 'env:A', 'x')).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (original) => {
        const pieces = splitReferences(escapeReferences(original))
        expect(pieces.map((piece) => (piece.kind === 'text' ? piece.text : piece)).join('')).toBe(original)
      }),
    )
  })
})

function loadPassword(password: string, known: Surroundings = {}) {
  const text = `machineUsers:\n  - username: m\n    password: ${JSON.stringify(password)}\n`
  const loaded = loadFiles({ 'a.yaml': text }, known)
  const [user] = loaded.document.machineUsers as [{ password: string }]
  return { password: user.password, lines: linesOf(loaded), loaded }
}

/** A text and a secret in files of two directories; the text refers to the file with this path. */
const filesWith = (name: string) => ({
  'models/a.yaml': `services:\n  - name: \${file:${name}}\n`,
  'models/b/users.yaml': 'machineUsers:\n  - username: m\n    password: ${file:../keys/m}\n',
})

describe('secrets', () => {
  test('a reference is resolved', () => {
    const { password, lines } = loadPassword('${env:PASSWORD}', { env: { PASSWORD: 'hush' } })
    expect({ password, lines }).toEqual({ password: 'hush', lines: [] })
  })

  test('a reference that cannot be resolved stays as it is, with a warning', () => {
    const { password, lines } = loadPassword('${env:PASSWORD}')
    expect(password).toBe('${env:PASSWORD}')
    expect(lines).toEqual([
      'a.yaml:3:5: warning unresolved-reference: ${env:PASSWORD} cannot be resolved; set the environment variable PASSWORD before the apply.',
    ])
  })

  test('where it is only a part of the secret it is an error', () => {
    expect(loadPassword('x${env:PASSWORD}').lines).toEqual([expect.stringContaining('error unresolved-reference')])
  })

  test('a literal secret is a warning that never shows it', () => {
    const { lines, loaded } = loadPassword('hush')
    expect(lines).toEqual([
      'a.yaml:3:5: warning literal-secret: the password is readable in the file; write ${env:NAME} or ${file:PATH} instead.',
    ])
    expect(loaded.diagnostics[0]?.pointer).toBe('/machineUsers/0/password')
  })

  const ONE_SECRET = {
    'models/a.yaml': 'services:\n  - name: plain\n  - name: Rest of ${env:PASSWORD}\n',
    'models/b/users.yaml': 'machineUsers:\n  - username: m\n    password: ${env:PASSWORD}\n',
  }

  test.each([{ env: { PASSWORD: 'hush' } }, {}])('one that stands in another text, too, is an error: %j', (known) => {
    const loaded = loadFiles(ONE_SECRET, known)
    expect(loaded.diagnostics).toContainEqual({
      severity: 'error',
      code: 'secret-shown',
      message:
        '${env:PASSWORD} is a secret of these models, and everybody could read it here; refer to something else.',
      file: 'models/a.yaml',
      line: 3,
      column: 5,
      pointer: '/services/1/name',
      related: [{ file: 'models/b/users.yaml', line: 3, column: 5, pointer: '/machineUsers/0/password' }],
    })
  })

  test('a file is the same one from wherever it is named', () => {
    const known = { files: { 'keys/m': 'hush', '../keys/m': 'hush', '../keys/n': 'loud' } }
    const codes = (name: string) => loadFiles(filesWith(name), known).diagnostics.map(({ code }) => code)
    expect(codes('keys/m')).toStrictEqual(['secret-shown'])
    expect(codes('../keys/n')).toStrictEqual([])
  })

  test('several secrets may be one, and a variable that is none may stand everywhere', () => {
    const loaded = loadFiles(
      {
        'a.yaml':
          'machineUsers:\n  - { username: m, password: "${env:ONE}" }\n  - { username: "${env:SITE}", password: "${env:ONE}" }\n',
        'b.yaml': 'services:\n  - name: ${env:SITE}\n',
      },
      { env: { ONE: 'hush', SITE: 'north' } },
    )
    expect(linesOf(loaded)).toStrictEqual([])
  })

  test('a malformed reference in a secret is not shown either', () => {
    const { lines } = loadPassword('hush${oops')
    expect(lines).toEqual([expect.stringContaining('error malformed-reference: this is not a reference')])
    expect(lines.join('')).not.toMatch(/hush|oops/)
  })

  test.each(['$${env:X}', '${env:ODD}'])(
    '%s: a secret that looks like a reference would be taken for an unresolved one',
    (written) => {
      const { lines } = loadPassword(written, { env: { ODD: '${env:ODD}' } })
      expect(lines).toContain(
        'a.yaml:3:5: error looks-like-reference: the secret itself has the form of a reference; choose another one.',
      )
    },
  )
})
