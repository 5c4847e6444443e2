import { useQuery } from '@tanstack/react-query'
import { Link } from '../../ui/link.tsx'
import { rich } from '../../words/words.ts'
import { codeRepositoriesQuery } from '../code-repositories-query.ts'
import type { Repositories } from './automation-form.ts'

export function useRepositories(projectId: string): Repositories & { isPending: boolean } {
  const { data, isPending } = useQuery(codeRepositoriesQuery(projectId))
  return {
    isPending,
    names: (data?.repositories ?? []).map(({ name }) => name),
    missing: rich('This project has no code repository yet. <a>Add one in the settings</a> first.', {
      a: (inner) => <Link href={`/p/${projectId}/settings`}>{inner}</Link>,
    }),
  }
}
