/** Settings of agent jobs: the most that one may use, and how many there are at once. */
import { whole } from './option.ts'

export const AGENT_OPTIONS = {
  agentSteps: whole(1, 1000, {
    env: 'OCTAVO_AGENT_STEPS',
    default: '60',
    help: 'Answers of the model that one turn of an agent job may take, {range}.',
  }),
  agentTokens: whole(1000, 100_000_000, {
    env: 'OCTAVO_AGENT_TOKENS',
    default: '2000000',
    help: 'Tokens that one turn of an agent job may use, input and output together, {range}.',
  }),
  agentMinutes: whole(1, 1440, {
    env: 'OCTAVO_AGENT_MINUTES',
    default: '30',
    help: 'Minutes that one turn of an agent job may take, {range}.',
  }),
  agentFiles: whole(1, 1000, {
    env: 'OCTAVO_AGENT_FILES',
    default: '50',
    help: 'Files that an agent job may change, {range}.',
  }),
  agentBytes: whole(1024, 104_857_600, {
    env: 'OCTAVO_AGENT_BYTES',
    default: '2097152',
    help: 'Bytes of all files together that an agent job may change, {range}.',
  }),
  agentJobs: whole(1, 1000, {
    env: 'OCTAVO_AGENT_JOBS',
    default: '200',
    help: 'Agent jobs that this process has at work at the same time, {range}. Most of the time they wait for their model; of their tools as many work at once as OCTAVO_WORKERS says.',
  }),
  agentPatience: whole(1, 86_400, {
    env: 'OCTAVO_AGENT_PATIENCE',
    default: '600',
    help: 'Seconds that an agent job waits for a repository, a forge or a model that is away, {range}.',
  }),
  agentSelfReview: {
    env: 'OCTAVO_AGENT_SELF_REVIEW',
    default: 'true',
    help: 'Whether the agent is shown its whole change once more before it is published, which costs a step or a few of its turn: true or false. Projects can switch it off for themselves.',
  },
  agentAuthor: {
    env: 'OCTAVO_AGENT_AUTHOR',
    default: 'Octavo agent <agent@octavo.invalid>',
    help: 'Author of the commits of agent jobs, <name> <<e-mail>>.',
  },
  signingKey: {
    env: 'OCTAVO_SIGNING_KEY_FILE',
    help: 'File with the Ed25519 private key (PEM) that bundles are signed with. Left out: signing-key.pem in the data folder when it is there; octavo signing-key makes it.',
  },
} as const
