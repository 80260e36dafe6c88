import type { ConsoleRoute } from '../route.ts'
import { API_TOKEN } from './api/token.ts'
import { ANALYSE_CSV } from './systems/analyse/values/csv.ts'
import { ANALYSE_DATA } from './systems/analyse/data.ts'
import { ANALYSE_LIVE } from './systems/analyse/live.ts'

/** The routes that scripts of pages fetch data from. */
export const ROUTES: readonly ConsoleRoute[] = [ANALYSE_DATA, ANALYSE_CSV, ANALYSE_LIVE, API_TOKEN]
