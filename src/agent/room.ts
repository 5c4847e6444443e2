/** How much of a model's context each request may fill. */
import { TOOLS } from './toolbox.ts'

/** Of what models are sent here, prose and code; scripts without spaces take more bytes a token, not fewer. */
const BYTES_PER_TOKEN = 3
const MOST_OUTPUT_TOKENS = 16_000
/** Instructions of any length leave this part to the conversation. */
const LEAST_SHARE = 0.25

export const TOOL_DESCRIPTIONS = TOOLS.map(({ name, description, inputSchema }) => ({
  name,
  description,
  inputSchema,
}))

export interface Room {
  maxOutputTokens: number
  /** For the conversation. */
  bytes: number
}

export function roomOf(contextTokens: number, system: string): Room {
  const maxOutputTokens = Math.min(MOST_OUTPUT_TOKENS, Math.floor(contextTokens / 4))
  const fixed =
    (Buffer.byteLength(system) + Buffer.byteLength(JSON.stringify(TOOL_DESCRIPTIONS))) / BYTES_PER_TOKEN
  const tokens = Math.max(contextTokens * LEAST_SHARE, contextTokens - maxOutputTokens - fixed)
  return { maxOutputTokens, bytes: Math.floor(tokens * BYTES_PER_TOKEN) }
}
