/** The public API. Pages alone ask it: the frame, which is there before them, does without its table. */
import { createClient } from '../../../../src/client/client.ts'
import { callerOptions } from './send.ts'

export const octavo = createClient(callerOptions)
