/** ask_person: a question to the person who gave the task; the turn rests until the answer comes as a message. */
import { Type } from 'typebox'
import { serverTool } from '../loop/define-tool.ts'

export const askPerson = serverTool({
  name: 'ask_person',
  desk: 'person',
  description:
    'Asks the person who gave you the task one thing that you cannot find out and that a wrong guess would spoil. You stop until they answer, which may take days: look first, ask everything at once, name the choices that you see, and do without it where a plain reading will do. What you have changed stays.',
  input: Type.Object(
    {
      question: Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'Whole in itself, in plain words.',
      }),
    },
    { additionalProperties: false },
  ),
})
