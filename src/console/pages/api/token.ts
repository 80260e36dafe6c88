import { signedOut } from '../../session/signed-in.ts'
import { SEES_ANYTHING } from '../../frame/areas.ts'
import { declareRoute } from '../../route.ts'

/** `/api/token`: a token for GraphiQL, because `/graphql` does not look at cookies. It ends with the session. */
export const API_TOKEN = declareRoute({
  path: '/api/token',
  right: SEES_ANYTHING.right,
  keepsWithin: true,
  isSent: true,
  async answer({ issueOwnToken }) {
    const token = await issueOwnToken()
    if (token === null) throw signedOut()
    return Response.json({ token })
  },
})
