/** `octavo members`: the people of an organization, and links for those who cannot sign in. */
import { chooseOrganization } from '../../../app/operator/administration.ts'
import {
  inviteMember,
  listOrganizationMembers,
  resetMemberPassword,
} from '../../../app/operator/people-administration.ts'
import { programCall } from '../../../app/operator/program-call.ts'
import { ROLES, type Role } from '../../../base/api/roles.ts'
import { type Command, UsageError } from '../../command.ts'
import { table } from '../../table.ts'
import { withDatabase } from '../../with-database.ts'

const ORG = { value: 'id', help: 'Organization; the only one there is when left out.' }

export const membersInvite: Command = {
  name: 'members invite',
  summary:
    'Invite a person to an organization: by mail where a mail server is set, and by a link that works once, for seven days.',
  worksOn: 'data',
  flags: {
    email: { value: 'address', help: 'E-mail address that they will sign in with.', isRequired: true },
    role: { value: 'role', help: `${ROLES.join(', ')}; viewer when left out.` },
    org: ORG,
  },
  async run({ flag, print }) {
    const role = readRole(flag('role') ?? 'viewer')
    const invited = await withDatabase(async (context, secrets) => {
      const organization = await chooseOrganization(context, flag('org'))
      return inviteMember(context, secrets, {
        organizationId: organization.id,
        email: flag('email') as string,
        role,
      })
    })
    print.result(invited, [invited.link])
    const until = invited.expiresAt.slice(0, 10)
    print.note(`${invited.email} joins as ${role} with this link, until ${until}.`)
    print.note(
      invited.isMailed
        ? 'A mail with the link goes to this address within seconds, while a server runs.'
        : 'No mail is sent: hand the link over yourself.',
    )
    return 0
  },
}

export const membersList: Command = {
  name: 'members list',
  summary: 'List the members of an organization.',
  worksOn: 'data',
  flags: { org: ORG },
  async run({ flag, print }) {
    const members = await withDatabase(async (context) => {
      const organization = await chooseOrganization(context, flag('org'))
      return listOrganizationMembers(context, organization.id)
    })
    print.result(
      members,
      members.length === 0
        ? [`There is no member yet. The first owner comes by the link that ${programCall()} start prints.`]
        : table([
            ['ID', 'NAME', 'E-MAIL', 'ROLE'],
            ...members.map(({ userId, name, email, role }) => [userId, name, email, role]),
          ]),
    )
    return 0
  },
}

export const membersResetPassword: Command = {
  name: 'members reset-password',
  summary: 'Make a link by which a person sets a new password. It works once, for a day.',
  worksOn: 'data',
  positionals: ['email'],
  flags: {
    'second-factor': { help: 'Also forget their codes by time, for who lost the device.' },
  },
  async run({ positionals, has, print }) {
    const email = positionals[0] as string
    const link = await withDatabase((context) =>
      resetMemberPassword(context, { email, dropsSecondFactor: has('second-factor') }),
    )
    print.result({ email, link }, [link])
    print.note('Hand the link to this person alone. All their sessions end when it is used.')
    return 0
  },
}

function readRole(text: string): Role {
  const role = ROLES.find((known) => known === text)
  if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}.`)
  return role
}
