import { useQuery } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { KEY_PREFIXES } from '../../../../../src/base/api/operation.ts'
import type { Member, MemberKeys } from '../../../../../src/features/accounts/operations/people.ts'
import { internal, internalKey, internalQuery } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { useHasPermission, useMembership, useUser } from '../../app/session.ts'
import { RadioGroup } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { plural, t } from '../../words/words.ts'

/** Maximum keys that are listed individually; beyond that only their number is shown. */
const MAX_NAMED = 5

/** Removes a member together with their keys, which are revoked or transferred to the current user. */
export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const me = useUser()
  const { name: organizationName } = useMembership()
  const [keys, setKeys] = useState<MemberKeys>('revoke')
  const isMe = member.userId === me.id
  return (
    <ConfirmDialog
      title={
        isMe
          ? t('Leave {organization}?', { organization: organizationName })
          : t('Remove {name}?', { name: member.name })
      }
      name={isMe ? organizationName : member.email}
      action={isMe ? t('Leave') : t('Remove')}
      onClose={onClose}
      onConfirm={async () => {
        await internal('removeMember', { params: { userId: member.userId }, query: { keys } })
        if (isMe) return location.assign('/')
        await Promise.all(
          [internalKey('listMembers'), internalKey('listApiKeys')].map((queryKey) =>
            queryClient.invalidateQueries({ queryKey }),
          ),
        )
      }}
    >
      <p>
        {isMe
          ? t(
              'You lose access at once, in every open window. What was changed stays. To come back, an invitation is needed.',
            )
          : t(
              '{name} loses access at once, in every open window. What was changed stays. To come back, an invitation is needed.',
              { name: member.name },
            )}
      </p>
      <OwnKeys member={member} isMe={isMe} keys={keys} onChange={setKeys} />
    </ConfirmDialog>
  )
}

function OwnKeys({
  member,
  isMe,
  keys,
  onChange,
}: {
  member: Member
  isMe: boolean
  keys: MemberKeys
  onChange: (keys: MemberKeys) => void
}) {
  const maySee = useHasPermission('apiKeys')
  const { data } = useQuery({ ...internalQuery('listApiKeys'), enabled: maySee })
  const own = data?.keys.filter(({ maker, state }) => maker?.id === member.userId && state === 'valid') ?? []
  if (own.length === 0) return null
  return (
    <>
      <p>{isMe ? describeOwnKeys(own.length) : describeMemberKeys(own.length, member.name)}</p>
      {own.length <= MAX_NAMED && (
        <ul class="list-disc pl-5">
          {own.map(({ id, name, kind, lastFour }) => (
            <li key={id} class="break-words">
              <PlainText text={name} />{' '}
              <code class="font-mono text-12">
                {KEY_PREFIXES[kind]}…{lastFour}
              </code>
            </li>
          ))}
        </ul>
      )}
      {isMe ? (
        <p>
          {t('They are revoked. If a program still needs one, ask an admin to remove you and take it over.')}
        </p>
      ) : (
        <RadioGroup
          label={t('What becomes of these keys')}
          value={keys}
          onChange={onChange}
          choices={[
            {
              value: 'revoke',
              label: t('Revoke them'),
              about: t('Every program that uses one is refused at once.'),
            },
            {
              value: 'hand_over',
              label: t('Take them over'),
              about: t(
                'They become yours, with no more rights than before. Whoever has them can still use them.',
              ),
            },
          ]}
        />
      )}
    </>
  )
}

/** Ends with a colon when the list of keys follows. */
function describeOwnKeys(count: number): string {
  return count > MAX_NAMED
    ? plural(
        count,
        'You have made {count} API key that programs may be using.',
        'You have made {count} API keys that programs may be using.',
      )
    : plural(
        count,
        'You have made {count} API key that programs may be using:',
        'You have made {count} API keys that programs may be using:',
      )
}

function describeMemberKeys(count: number, name: string): string {
  return count > MAX_NAMED
    ? plural(
        count,
        '{name} has made {count} API key that programs may be using.',
        '{name} has made {count} API keys that programs may be using.',
        { name },
      )
    : plural(
        count,
        '{name} has made {count} API key that programs may be using:',
        '{name} has made {count} API keys that programs may be using:',
        { name },
      )
}
