// What comes first in `npm test` and others, whose programs die on an old Node with a stack trace. npm puts the Node that
// `npm ci` brings along first in their PATH.
import { onNode } from '../bin/on-node.js'

onNode(() => {})
