/** `octavo sign-in`: restores access when dashboard settings have locked everyone out. */
import { withServer } from '../../api-client.ts'
import type { Command } from '../../command.ts'

export const signInReset: Command = {
  name: 'sign-in reset',
  summary: 'Turn password sign-in back on.',
  worksOn: 'data',
  flags: {},
  async run({ print }) {
    print.result(await withServer(({ call }) => call('resetSignIn')), ['Password sign-in is on again.'])
    return 0
  },
}
