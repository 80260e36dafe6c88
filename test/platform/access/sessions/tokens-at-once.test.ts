import { describe, expect, it } from 'vitest'
import { joinLookUps } from '../../../../src/lib/join-look-ups.ts'
import { GrantKeeper } from '../../../../src/platform/access/grants/grant-keeper.ts'
import { identifyBearer } from '../../../../src/platform/access/sessions/identify-bearer.ts'
import { tokenHash } from '../../../../src/platform/access/sessions/token-hash.ts'
import type { DomainContext } from '../../../../src/platform/domain-context.ts'
import { deleteArtifact } from '../../../../src/store/access/artifacts.ts'
import { writeAccess } from '../../../../src/store/domains.ts'
import { giveToken, makeMachine } from '../../../support/access.ts'
import { countingDatabase } from '../../../support/counting-database.ts'
import { SAMPLED_DATABASES } from '../../../support/databases.ts'
import { makeDomain } from '../../../support/domain.ts'
import { oneDomain } from '../../one-domain.ts'

describe.each(SAMPLED_DATABASES)('bearer tokens that come at once on $name', (kind) => {
  const domain = oneDomain(kind)

  it('are read by three statements, and each gets its own answer', async () => {
    const other = await makeDomain(domain().database, 'other')
    const names = Array.from({ length: 20 }, (_, index) => `gateway-${index}`)
    const tokens: string[] = []
    for (const name of names) tokens.push(await giveToken(domain(), await makeMachine(domain(), name)))
    const revoked = tokens[7]!
    await writeAccess(domain().database, domain().domain.id, (sql) =>
      deleteArtifact(sql, domain().domain.id, 'AccessToken', tokenHash(revoked)),
    )
    const database = countingDatabase(domain().database)
    const grants = new GrantKeeper(database)
    const identify = async (context: DomainContext, token: string) =>
      (await identifyBearer({ ...context, database, grants }, token))?.name
    const found = await Promise.all([
      ...tokens.map((token) => identify(domain(), token)),
      ...tokens.map((token) => identify({ ...other }, token)),
      identify(domain(), 'a token of nobody'),
    ])
    const own = names.map((name, index) => (index === 7 ? undefined : name))
    expect(found).toStrictEqual([...own, ...names.map(() => undefined), undefined])
    // Two go at once; everything that comes meanwhile goes together. On Citus, each token is found on its own node.
    const statements = database.isDistributed === true ? found.length : 3
    expect(database.statements.filter((text) => text.includes('find_token('))).toHaveLength(statements)
  })
})

describe('joined look-ups', () => {
  it('never give a value that was looked up before the call', async () => {
    const { asked, find } = heldLookUp()
    const early = [find('a'), find('b')]
    const late = [find('a'), find('c')]
    expect(asked.map(({ keys }) => keys)).toStrictEqual([['a'], ['b']])
    asked[0]!.answer()
    expect(await early[0]).toBe('a 2')
    expect(asked.map(({ keys }) => keys)).toStrictEqual([['a'], ['b'], ['a', 'c']])
    asked[1]!.answer()
    asked[2]!.answer()
    expect(await Promise.all(late)).toStrictEqual(['a 3', 'c 3'])
  })

  it('fail together, and go on', async () => {
    const { asked, find } = heldLookUp()
    const calls = [find('a'), find('b'), find('c'), find('d')].map((call) =>
      call.catch((error: Error) => error.message),
    )
    asked[0]!.fail(new Error('no database'))
    asked[1]!.answer()
    expect(await calls[0]).toBe('no database')
    const next = find('e')
    asked[2]!.fail(new Error('still none'))
    expect(await Promise.all(calls)).toStrictEqual(['no database', 'b 2', 'still none', 'still none'])
    asked[3]!.answer()
    expect(await next).toBe('e 4')
  })
})

/** A look-up that the test answers. */
function heldLookUp() {
  const asked: { readonly keys: readonly string[]; answer(): void; fail(error: Error): void }[] = []
  const find = joinLookUps(
    (keys: readonly string[]) =>
      new Promise<readonly string[]>((resolve, fail) => {
        asked.push({ keys, answer: () => resolve(keys.map((key) => `${key} ${asked.length}`)), fail })
      }),
  )
  return { asked, find }
}
