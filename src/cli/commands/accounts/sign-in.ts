/** `octavo sign-in`: restores access when dashboard settings have locked everybody out. */
import { openPasswordSignIn } from '../../../app/operator/people-administration.ts'
import type { Command } from '../../command.ts'
import { withDatabase } from '../../with-database.ts'

export const signInReset: Command = {
  name: 'sign-in reset',
  summary: 'Let people sign in with passwords again.',
  worksOn: 'data',
  flags: {},
  async run({ print }) {
    await withDatabase(openPasswordSignIn)
    print.result({ passwords: true }, ['Passwords open this server again, at once.'])
    return 0
  },
}
