/** Settings of agent jobs: the most that one may use, and how many there are at once. */
export const AGENT_OPTIONS = {
  agentSteps: {
    env: 'OCTAVO_AGENT_STEPS',
    default: '60',
    help: 'Answers of the model that one turn of an agent job may take, 1 to 1000.',
  },
  agentTokens: {
    env: 'OCTAVO_AGENT_TOKENS',
    default: '2000000',
    help: 'Tokens that one turn of an agent job may use, input and output together, 1000 to 100000000.',
  },
  agentMinutes: {
    env: 'OCTAVO_AGENT_MINUTES',
    default: '30',
    help: 'Minutes that one turn of an agent job may take, 1 to 1440.',
  },
  agentFiles: {
    env: 'OCTAVO_AGENT_FILES',
    default: '50',
    help: 'Files that an agent job may change, 1 to 1000.',
  },
  agentBytes: {
    env: 'OCTAVO_AGENT_BYTES',
    default: '2097152',
    help: 'Bytes of all files together that an agent job may change, 1024 to 104857600.',
  },
  agentJobs: {
    env: 'OCTAVO_AGENT_JOBS',
    default: '200',
    help: 'Agent jobs that this process has at work at the same time, 1 to 1000. Most of the time they wait for their model; of their tools as many work at once as OCTAVO_WORKERS says.',
  },
  agentPatience: {
    env: 'OCTAVO_AGENT_PATIENCE',
    default: '600',
    help: 'Seconds that an agent job waits for a repository, a forge or a model that is away, 1 to 86400.',
  },
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
