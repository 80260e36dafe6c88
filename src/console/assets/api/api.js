import './graphiql.js'

// Starts GraphiQL. It sends requests to /graphql with a token that lasts for minutes, and gets the token from the session
// of the console.

const { React, ReactDOM, GraphiQL } = globalThis
const place = document.getElementById('graphiql')
const { csrf, nonce } = place.dataset

// A library in GraphiQL adds a style element while a dialog is open, and reads the nonce from this name.
// oxlint-disable-next-line no-underscore-dangle
globalThis.__webpack_nonce__ = nonce

let token = null

async function newToken() {
  const answer = await fetch('/api/token', { method: 'POST', body: new URLSearchParams({ csrf }) })
  const { token: made, detail } = await answer.json()
  if (!answer.ok) throw new Error(detail)
  return made
}

function send(params, signal) {
  return fetch('/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream;q=0.9',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(params),
    signal,
  })
}

async function ask({ query, variables, operationName }) {
  const leaving = new AbortController()
  const params = { query, variables, operationName }
  // A subscription ends with its token, so it gets a new one. The word elsewhere in a query does no harm.
  if (token === null || query.includes('subscription')) token = await newToken()
  let answer = await send(params, leaving.signal)
  if (answer.status === 401) {
    token = await newToken()
    answer = await send(params, leaving.signal)
  }
  const isStream = answer.headers.get('content-type').startsWith('text/event-stream')
  return isStream ? followed(answer.body, leaving) : answer.json()
}

/** The results of a subscription. Leaving the loop over them ends the request. */
function followed(body, leaving) {
  const results = resultsIn(body)
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => results.next(),
    return() {
      leaving.abort()
      return Promise.resolve({ done: true })
    },
  }
}

async function* resultsIn(body) {
  let text = ''
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const events = (text + part).split('\n\n')
    text = events.pop()
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1]
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}

/** Keeps what GraphiQL remembers until the page is left, because others may use this browser. */
const kept = new Map()
const storage = {
  getItem: (name) => kept.get(name) ?? null,
  setItem: (name, value) => void kept.set(name, value),
  removeItem: (name) => void kept.delete(name),
  clear: () => kept.clear(),
  length: 0,
}

const QUERY = '# Ctrl-Space completes, Ctrl-Enter runs.\n{\n  me {\n    name\n    rights\n  }\n}\n'

ReactDOM.createRoot(place).render(
  React.createElement(GraphiQL, {
    fetcher: ask,
    storage,
    defaultQuery: QUERY,
    isHeadersEditorEnabled: false,
    showPersistHeadersSettings: false,
  }),
)
