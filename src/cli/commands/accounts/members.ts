/** `octavo members`: the members of an organization, and links for those who cannot sign in. */
import { resolveProgramCommand } from '../../../app/operator/program-call.ts'
import { ROLES, type Role } from '../../../base/api/roles.ts'
import {
  ORG_FLAG,
  requireServerUrl,
  withErrorMessages,
  withOrganization,
  withServer,
} from '../../api-client.ts'
import { type Command, UsageError } from '../../command.ts'

export const membersInvite: Command = {
  name: 'members invite',
  summary:
    'Invite a person to an organization with a one-time link, valid for seven days and also sent by email if a mail server is set.',
  worksOn: 'data',
  flags: {
    email: { value: 'address', help: 'Email address that the person will sign in with.', isRequired: true },
    role: { value: 'role', help: `${ROLES.join(', ')}. Default: viewer.` },
    org: ORG_FLAG,
  },
  async run({ flag, print }) {
    const role = readRole(flag('role') ?? 'viewer')
    const email = flag('email') as string
    const invited = await withServer(async (server) => {
      requireServerUrl(server)
      await server.chooseOrganization(flag('org'))
      return server.call('createInvitation', { body: { email, role } })
    })
    print.result(invited, [invited.link])
    const until = invited.expiresAt.slice(0, 10)
    print.note(`${invited.email} can join as ${role} with this link until ${until}.`)
    print.note(
      invited.isMailed
        ? 'The link is also sent by email within seconds while a server is running.'
        : 'No email is sent. Send the link yourself.',
    )
    return 0
  },
}

export const membersList: Command = {
  name: 'members list',
  summary: 'List the members of an organization.',
  worksOn: 'data',
  flags: { org: ORG_FLAG },
  async run({ flag, print }) {
    const { members } = await withOrganization(flag('org'), ({ call }) => call('listMembers'))
    print.list(
      members,
      ['ID', 'NAME', 'E-MAIL', 'ROLE'],
      members.map(({ userId, name, email, role }) => [userId, name, email, role]),
      `There is no member yet. Create the first owner with the link printed by ${resolveProgramCommand()} start.`,
    )
    return 0
  },
}

export const membersResetPassword: Command = {
  name: 'members reset-password',
  summary: 'Create a one-time password reset link, valid for one day.',
  worksOn: 'data',
  positionals: ['email'],
  flags: {
    'second-factor': {
      help: 'Also remove the authenticator app of the member, for example if the device was lost.',
    },
  },
  async run({ positionals, has, print }) {
    const email = positionals[0] as string
    const body = { email, dropsSecondFactor: has('second-factor') }
    const created = await withServer((server) => {
      requireServerUrl(server)
      return withErrorMessages(server.call('createPasswordLink', { body }), {
        not_found: `There is no account with the email address ${email}.`,
      })
    })
    print.result(created, [created.link])
    print.note('Give the link only to this person. Using it ends all their sessions.')
    return 0
  },
}

function readRole(text: string): Role {
  const role = ROLES.find((known) => known === text)
  if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}.`)
  return role
}
