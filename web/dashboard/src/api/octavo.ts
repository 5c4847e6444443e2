/** Client of the public API. Only pages import it, to keep its operations table out of the initial bundle. */
import { createClient } from '../../../../src/client/client.ts'
import { callerOptions } from './send.ts'

export const octavo = createClient(callerOptions)
