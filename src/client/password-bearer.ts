import type { Credentials } from '../shell/io.ts'
import { renewableBearer, type Bearer } from './bearer.ts'
import type { CredentialNames } from './refused-token-request.ts'
import { requestGrant, type TokenIo } from './token-request.ts'

/**
 * Signs in with a password, and later with the refresh token if the platform returns one. The client's credentials are
 * sent in the form, because a Basic header would need an extra encoding (RFC 6749, section 2.3.1).
 */
export function passwordBearer(
  url: string,
  { clientId, clientSecret, username, password }: Credentials,
  io: TokenIo,
  names: CredentialNames,
): Bearer {
  const client = { client_id: clientId, client_secret: clientSecret }
  const anew = () => requestGrant(url, { ...client, grant_type: 'password', username, password }, io, names)
  const refresh = (token: string) =>
    requestGrant(url, { ...client, grant_type: 'refresh_token', refresh_token: token }, io, names)
  return renewableBearer(
    async (previous) => {
      if (previous === null || previous.refreshToken === null) return anew()
      // The password stays valid when a refresh token has expired.
      return refresh(previous.refreshToken).catch(anew)
    },
    io.now,
    {
      refused: `check that the user and the application consumer are ACTIVATED (${names.user}, ${names.client})`,
      forbidden: `add one of these scopes to the application consumer (${names.client})`,
    },
  )
}
