/** ask_person: asks the user who gave the task. The turn pauses until a message with the answer arrives. */
import { Type } from 'typebox'
import { serverTool } from '../loop/define-tool.ts'

export const askPerson = serverTool({
  name: 'ask_person',
  backend: 'person',
  description:
    'Asks the person who gave you the task one question that you cannot answer yourself, if a wrong guess would be costly. You wait for the answer, which may take days: search first, ask everything in one message, list the options, and do not ask if there is an obvious interpretation. Your changes are retained.',
  input: Type.Object(
    {
      question: Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'The question. Self-contained, in plain words.',
      }),
    },
    { additionalProperties: false },
  ),
})
