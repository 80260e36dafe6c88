import { readCredentials, type Credentials } from '../../src/server/process/credentials.ts'

/** An access token of the operator whose credentials are in a data directory, by the PASSWORD grant. */
export async function operatorToken(url: string, dataDir: string): Promise<string> {
  const credentials = readCredentials(dataDir)
  if (credentials === null) throw new Error(`there are no credentials in ${dataDir}`)
  return passwordToken(url, credentials)
}

export async function passwordToken(
  url: string,
  { clientId, clientSecret, username, password }: Credentials,
): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'password',
    username,
    password,
    client_id: clientId,
    client_secret: clientSecret,
  })
  const response = await fetch(`${url}/authenticate/token`, { method: 'POST', body })
  const answer = (await response.json()) as { access_token?: string }
  if (answer.access_token === undefined) throw new Error(`no token: ${response.status} ${JSON.stringify(answer)}`)
  return answer.access_token
}
