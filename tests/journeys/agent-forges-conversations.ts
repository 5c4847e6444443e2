/** Recorded model answers for agent-forges.long.test.ts. */
import { editing, finishing, type RecordedConversation } from '../kit/agent.ts'

export const PROMPT = 'The temperature for black tea is wrong.'
export const FOLLOW_UP = 'Also say how long.'
export const PATH = 'guides/brew.mdx'

// With feedback attached, the message to the model only starts with the prompt, hence the pattern.
export const CONVERSATIONS: RecordedConversation[] = [
  { ...editing(PROMPT), prompt: '/^The temperature for black tea is wrong\\./' },
  {
    prompt: FOLLOW_UP,
    answers: [
      {
        toolCalls: [
          {
            name: 'edit_file',
            input: { path: PATH, oldText: 'degrees.\n', newText: 'degrees.\n\nLet it draw for a minute.\n' },
          },
        ],
      },
      { toolCalls: [finishing([PATH], 'Tell how hot, and how long')] },
    ],
  },
]

CONVERSATIONS.push({
  prompt: '/^Address the review comments on the pull request\\./',
  answers: [
    {
      toolCalls: [{ name: 'edit_file', input: { path: PATH, oldText: 'minute.', newText: 'whole minute.' } }],
    },
    {
      toolCalls: [
        {
          name: 'finish',
          input: {
            ...(finishing([PATH], 'Say that it is a whole minute').input as object),
            // Id of the first comment, in the format of each forge.
            replies: ['line:1', 'note:1', `${'1'.padStart(40, '0')}:1`].map((comment) => ({
              comment,
              text: 'It says “whole” now. Closes #1, @acme/owners.',
            })),
          },
        },
      ],
    },
  ],
})
