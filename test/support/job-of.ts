import { repositoryOfToken } from '../../src/platform/access/delegated/identity/token-repository.ts'
import type { DomainContext } from '../../src/platform/domain-context.ts'
import { saveArtifact } from '../../src/store/access/artifacts.ts'
import { writeAccess } from '../../src/store/domains.ts'

export interface Repository {
  readonly id: string
  readonly name: string
  readonly issuer?: string
}

/** The context of a job of a repository, with a token as the platform stores it after checking it. */
export async function jobOf(context: DomainContext, { id, name, issuer }: Repository): Promise<DomainContext> {
  const { database, domain } = context
  const hash = crypto.getRandomValues(new Uint8Array(32))
  const claims = { iss: issuer ?? 'https://token.actions.githubusercontent.com', repository_id: id, repository: name }
  const artifact = {
    kind: 'AccessToken',
    hash,
    payload: { repository: { ...repositoryOfToken(claims) } },
    grantId: null,
    uid: null,
    clientId: null,
    accountUuid: null,
    methodUuid: null,
    scope: '',
    issuedAt: new Date(),
    consumedAt: null,
    expiresAt: new Date(Date.now() + 900_000),
  }
  await writeAccess(database, domain.id, (sql) => saveArtifact(sql, domain.id, artifact))
  return { ...context, actorName: `${name}-apply`, tokenHash: hash }
}
