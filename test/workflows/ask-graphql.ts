/** Asks the GraphQL API of a server with a token, and gives back the data. */
export function askOf(url: string, token: string): (query: string) => Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return async (query) => {
    const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
    const { data, errors } = (await answer.json()) as { data?: unknown; errors?: unknown }
    if (errors !== undefined) throw new Error(JSON.stringify(errors))
    return data
  }
}
