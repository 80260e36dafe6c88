import { decodeProtectedHeader } from 'jose'
import { expect, it } from 'vitest'
import { rotateSigningKey } from '../../../src/platform/access/keys/signing-keys.ts'
import { discover, signIn } from './application.ts'
import { at, useAttacked } from './attacked-server.ts'

useAttacked()

async function published(): Promise<readonly string[]> {
  const response = await fetch(`${at.server.url}/authenticate/keys`)
  const { keys } = (await response.json()) as { readonly keys: readonly { readonly kid: string }[] }
  return keys.map(({ kid }) => kid)
}

/** The kid of the key that an ID token is signed with now; the client has checked it against what is published. */
async function signingKid(): Promise<string | undefined> {
  const { tokens } = await signIn(await discover(at.server.url, at.consumer), at.person, { scope: 'openid' })
  return decodeProtectedHeader(tokens.id_token ?? '').kid
}

it('a new key is published first, and signs once everybody can know it', async () => {
  const first = await signingKid()
  expect(await published()).toStrictEqual([first])
  const { kid } = await rotateSigningKey(at.server.access)
  at.wait(6)
  expect([...(await published())].sort()).toStrictEqual([first, kid].sort())
  expect(await signingKid()).toBe(first)
  at.wait(60)
  expect(await signingKid()).toBe(kid)
  expect([...(await published())].sort()).toStrictEqual([first, kid].sort())
  at.wait(2 * 86_400)
  expect(await published()).toStrictEqual([kid])
})

const changes = () =>
  at.server.log
    .map((line) => JSON.parse(line) as { readonly what?: string; readonly target?: string })
    .filter(({ what }) => what === 'signing key made')

it('a key that is replaced for its age leaves a line in the log, as one that somebody replaces does', async () => {
  const before = await published()
  // Whichever key is published now was made on command; the one before it was the first of all.
  const first = changes()
  expect(first).toHaveLength(1)
  at.wait(90 * 86_400)
  const [next] = (await published()).filter((kid) => !before.includes(kid))
  expect(next).toBeDefined()
  await published()
  expect(changes().slice(1)).toMatchObject([{ message: 'access change', target: next, actor: null, domain: 'main' }])
})
