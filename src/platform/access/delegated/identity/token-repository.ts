import type { Claims } from '../../../../auth/token-rules.ts'
import type { RepositoryOwner } from '../../../../records/type-owner.ts'

/** The repository of the job that a token belongs to. */
export type TokenRepository = Pick<RepositoryOwner, 'issuer' | 'id' | 'name'>

/**
 * The claims with the id and the name of a repository, for each forge: GitHub, Forgejo and Gitea (some versions have no
 * id); GitLab (https://docs.gitlab.com/ci/secrets/id_token_authentication/); and Bitbucket (no name).
 */
const CLAIMS = [
  { id: 'repository_id', name: 'repository' },
  { id: 'project_id', name: 'project_path' },
  { id: 'repositoryUuid', name: 'repositoryUuid' },
  { id: 'repository', name: 'repository' },
] as const

/** The repository that the token of a job names; null if it names none. */
export function repositoryOfToken(claims: Claims): TokenRepository | null {
  const issuer = textOf(claims['iss'])
  for (const { id: idClaim, name: nameClaim } of CLAIMS) {
    const id = textOf(claims[idClaim])
    if (issuer !== null && id !== null) return { issuer, id, name: textOf(claims[nameClaim]) ?? id }
  }
  return null
}

/** Reads the repository that `repositoryOfToken` found, as it was stored with the token. */
export function readTokenRepository({
  issuer,
  id,
  name,
}: {
  readonly [member: string]: unknown
}): TokenRepository | null {
  const isWhole = typeof issuer === 'string' && typeof id === 'string' && typeof name === 'string'
  return isWhole ? { issuer, id, name } : null
}

const LONGEST = 255

function textOf(claim: unknown): string | null {
  const text = typeof claim === 'number' ? String(claim) : claim
  return typeof text === 'string' && text !== '' && text.length <= LONGEST ? text : null
}
