import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { ROLES, type Role, roleHasPermission } from '../../../../../src/base/api/roles.ts'
import type {
  Invitation,
  InvitationList,
  Member,
  MemberList,
} from '../../../../../src/features/accounts/operations/people.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { useAction } from '../../app/action.tsx'
import { useCommands } from '../../app/commands.ts'
import { confirmFirst } from '../../app/dialogs.tsx'
import { toCacheChange, useOptimisticMutation } from '../../app/optimistic.ts'
import type { Preload } from '../../app/pages.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useDialogParameter } from '../../app/query-parameters.ts'
import { useHasPermission, useMembership, useUser } from '../../app/session.ts'
import { toastWithUndo } from '../../app/toasts.ts'
import { SaveBar } from '../../forms/save-bar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { SearchInput, Select } from '../../ui/input.tsx'
import { PageBody, PageHeader, Section } from '../../ui/page.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Loaded, SkeletonRows } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { formatDurationUntil, RelativeTime } from '../../ui/time.tsx'
import { plural, rich, t } from '../../words/words.ts'
import { invitePeople, showLinks } from './invite-dialog.tsx'
import { removeMember } from './remove-member-dialog.tsx'
import { ROLE_DESCRIPTIONS, ROLE_NAMES, roleChangedMessage } from './role-labels.ts'
import { SecuritySection } from './security-section.tsx'

/** Number of members from which a search field is shown. */
const SEARCH_THRESHOLD = 10

export const preload: Preload = () => void queryClient.prefetchQuery(internalQuery('listMembers'))

export function MembersPage() {
  const { name } = useMembership()
  const mayManage = useHasPermission('members')
  useDialogParameter('new', mayManage ? invitePeople : null)
  useCommands([
    {
      id: 'invite',
      label: t('Invite a person'),
      icon: 'user-plus',
      keys: 'c',
      isOff: !mayManage,
      run: invitePeople,
    },
  ])
  return (
    <>
      <PageHeader
        title={t('Members')}
        about={name}
        actions={
          mayManage && (
            <Button look="primary" icon="user-plus" onClick={invitePeople}>
              {t('Invite')}
            </Button>
          )
        }
      />
      <PageBody>
        <Members />
        {mayManage && <Invitations />}
        {mayManage && <SecuritySection />}
        <Roles />
        <SaveBar />
      </PageBody>
    </>
  )
}

function Members() {
  const query = useQuery(internalQuery('listMembers'))
  return (
    <Loaded query={query} skeleton={<SkeletonRows label={t('Loading members')} />}>
      {({ members }) => <MemberSection members={members} />}
    </Loaded>
  )
}

function MemberSection({ members }: { members: readonly Member[] }) {
  const [sought, setSought] = useState('')
  const words = sought.trim().toLowerCase()
  const shown = members.filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(words))
  return (
    <Section
      title={plural(members.length, 'One member', '{count} members')}
      actions={
        members.length > SEARCH_THRESHOLD && (
          <SearchInput
            aria-label={t('Find a member')}
            placeholder={t('Name or email address')}
            class="w-64 max-md:w-[calc(100vw-32px)]"
            value={sought}
            onInput={(event) => setSought(event.currentTarget.value)}
            onClear={() => setSought('')}
          />
        )
      }
    >
      {shown.length === 0 ? (
        <p class="py-6 text-center text-13 text-soft">{t('No matching members.')}</p>
      ) : (
        <MemberTable members={shown} />
      )}
    </Section>
  )
}

const MEMBER_COLUMNS: readonly Column<Member>[] = [
  { label: t('Name'), isWide: true, cell: (member) => <MemberName member={member} /> },
  {
    label: t('Second factor'),
    from: 'lg',
    cell: ({ twoFactorEnabled, hasPasskey }) => {
      const has = [...(twoFactorEnabled ? [t('Codes')] : []), ...(hasPasskey ? [t('Passkey')] : [])]
      if (has.length === 0) return <NoSecondFactor />
      return <span class="text-soft">{has.join(', ')}</span>
    },
  },
  {
    label: t('Last seen'),
    from: 'lg',
    cell: ({ lastSeenAt }) =>
      lastSeenAt === null ? (
        <span class="text-faint">{t('Never')}</span>
      ) : (
        <RelativeTime at={lastSeenAt} class="text-soft" />
      ),
  },
]

/** Marks members without a second factor; only shown where it is required. */
function NoSecondFactor() {
  const { data } = useQuery({
    ...internalQuery('getOrganizationSecurity'),
    enabled: roleHasPermission(useMembership().role, 'members'),
  })
  const none = t('None', { context: 'second factor' })
  return data?.secondFactor == null ? (
    <span class="text-faint">{none}</span>
  ) : (
    <Badge tone="warning">{none}</Badge>
  )
}

function MemberTable({ members }: { members: readonly Member[] }) {
  const me = useUser()
  const { role: myRole, name: organization } = useMembership()
  const setRole = useRoleChange()
  const mayChange = (member: Member) =>
    roleHasPermission(myRole, 'members') && (member.role !== 'owner' || roleHasPermission(myRole, 'owners'))
  const offered = ROLES.filter((role) => role !== 'owner' || roleHasPermission(myRole, 'owners'))
  const role: Column<Member> = {
    label: t('Role'),
    cell: (member) =>
      mayChange(member) ? (
        <Select
          size="small"
          isQuiet
          class="-ml-3"
          aria-label={t('Role of {name}', { name: member.name })}
          value={member.role}
          options={offered.map((one) => ({ value: one, label: ROLE_NAMES[one] }))}
          onChange={(to) => setRole(member, to as Role)}
        />
      ) : (
        ROLE_NAMES[member.role]
      ),
  }
  const remove: Column<Member> = {
    label: t('Remove'),
    isBare: true,
    align: 'end',
    cell: (member) =>
      (mayChange(member) || member.userId === me.id) && (
        <IconButton
          icon={member.userId === me.id ? 'log-out' : 'x'}
          size="small"
          label={
            member.userId === me.id ? t('Leave the organization') : t('Remove {name}', { name: member.name })
          }
          onClick={() => removeMember(member, { isMe: member.userId === me.id, organization })}
        />
      ),
  }
  return (
    <Table
      label={t('Members')}
      rows={members}
      rowKey={({ userId }) => userId}
      columns={[...MEMBER_COLUMNS, role, remove]}
    />
  )
}

function MemberName({ member: { userId, name, email } }: { member: Member }) {
  return (
    <span class="flex flex-wrap items-center gap-x-2 gap-y-0.5 py-1.5">
      <span class="flex max-w-full min-w-0 items-center gap-2">
        <span class="truncate font-medium" title={name}>
          <PlainText text={name} />
        </span>
        {userId === useUser().id && <Badge tone="accent">{t('You')}</Badge>}
      </span>
      <span class="max-w-full min-w-0 truncate text-soft" title={email}>
        {email}
      </span>
    </span>
  )
}

function useRoleChange(): (member: Member, role: Role) => void {
  const change = useOptimisticMutation({
    send: ({ userId, role }: { userId: string; role: Role; before?: Role }) =>
      internal('updateMember', { params: { userId }, body: { role } }),
    changes: ({ userId, role }) => [
      toCacheChange<MemberList>(internalKey('listMembers'), ({ members }) => ({
        members: members.map((one) => (one.userId === userId ? { ...one, role } : one)),
      })),
    ],
    failed: t('The role was not changed'),
    done: (member, { userId, role, before }) => {
      if (before === undefined) return
      toastWithUndo(roleChangedMessage(member.name, role), () => change.mutate({ userId, role: before }))
    },
    invalidates: () => [internalKey('listMembers'), ['getSession']],
  })
  return ({ userId, role: before }, role) => change.mutate({ userId, role, before })
}

function useRevokeInvitation() {
  return useOptimisticMutation({
    send: (invitationId: string) => internal('revokeInvitation', { params: { invitationId } }),
    changes: (invitationId) => [
      toCacheChange<InvitationList>(internalKey('listInvitations'), ({ invitations }) => ({
        invitations: invitations.filter((one) => one.invitationId !== invitationId),
      })),
    ],
    failed: t('The invitation was not withdrawn'),
    invalidates: () => [internalKey('listInvitations')],
  })
}

function Invitations() {
  const { data } = useQuery(internalQuery('listInvitations'))
  const revoke = useRevokeInvitation()
  if (data === undefined || data.invitations.length === 0) return null
  const withdraw = ({ invitationId, email }: Invitation) =>
    confirmFirst({
      title: t('Withdraw the invitation?'),
      action: t('Withdraw'),
      cancel: t('Keep it'),
      width: 'sm',
      text: <p>{rich('The link for {email} stops working.', { email: <PlainText text={email} /> })}</p>,
      run: async () => revoke.mutate(invitationId),
    })
  return (
    <Section
      title={t('Open invitations')}
      about={t('A link is shown once, when it is created. A new link replaces a lost one.')}
    >
      <Table
        label={t('Open invitations')}
        rows={data.invitations}
        rowKey={({ invitationId }) => invitationId}
        columns={[
          {
            label: t('Email address'),
            isWide: true,
            cell: (invitation: Invitation) => <Invited {...invitation} />,
          },
          { label: t('Role'), from: 'md', cell: ({ role }) => ROLE_NAMES[role] },
          {
            label: t('Invited by'),
            from: 'lg',
            cell: ({ invitedBy }) => <span class="text-soft">{invitedBy ?? t('command line')}</span>,
          },
          {
            label: t('Expires in'),
            from: 'md',
            cell: ({ expiresAt }) => <span class="text-soft">{formatDurationUntil(expiresAt)}</span>,
          },
          {
            label: t('Change'),
            isBare: true,
            align: 'end',
            cell: (invitation) => (
              <span class="-mr-2 flex justify-end @md:gap-1">
                <NewLinkButton invitation={invitation} />
                <Button size="small" look="quiet" onClick={() => withdraw(invitation)}>
                  {t('Withdraw')}
                </Button>
              </span>
            ),
          },
        ]}
      />
    </Section>
  )
}

function Invited({ email, role }: Invitation) {
  return (
    <span class="block py-1.5">
      <span class="block truncate" title={email}>
        {email}
      </span>
      <span class="block text-soft @md:hidden">{ROLE_NAMES[role]}</span>
    </span>
  )
}

/** Creates a new link for an invitation; the previous link becomes invalid. */
function NewLinkButton({ invitation: { email, role } }: { invitation: Invitation }) {
  const renew = useAction({
    failed: t('No link was created'),
    run: async () => {
      showLinks([{ ...(await internal('createInvitation', { body: { email, role } })), email }])
      await queryClient.invalidateQueries({ queryKey: internalKey('listInvitations') })
    },
  })
  return (
    <Button size="small" look="quiet" isBusy={renew.isPending} onClick={() => renew.mutate()}>
      {t('New link')}
    </Button>
  )
}

function Roles() {
  return (
    <Section title={t('Roles')} about={t('Each role includes the permissions of the roles before it.')}>
      <dl class="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-13">
        {ROLES.map((role) => (
          <div key={role} class="contents">
            <dt class="font-medium">{ROLE_NAMES[role]}</dt>
            <dd class="text-soft">{ROLE_DESCRIPTIONS[role]}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
