/** Minimum and maximum of each limit of an agent job's turn. */
export const AGENT_CAP_RANGES = {
  steps: [1, 1000],
  tokens: [1000, 100_000_000],
  minutes: [1, 1440],
  files: [1, 1000],
  bytes: [1024, 104_857_600],
} as const
export type AgentCap = keyof typeof AGENT_CAP_RANGES
export const AGENT_CAPS = Object.keys(AGENT_CAP_RANGES) as AgentCap[]
