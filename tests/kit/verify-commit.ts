/** Verifies the signature of a commit with git and OpenSSH. */
import { writeFile } from 'node:fs/promises'
import type { TestRepository } from './git.ts'

/** Rejects unless the commit is signed with the key on behalf of this email address. */
export async function verifyCommit(
  repository: Pick<TestRepository, 'git' | 'folder'>,
  commit: string,
  { publicKey, email }: { publicKey: string; email: string },
): Promise<void> {
  const signers = `${repository.folder}.signers`
  await writeFile(signers, `${email} namespaces="git" ${publicKey}\n`)
  const settings = ['-c', 'gpg.format=ssh', '-c', `gpg.ssh.allowedSignersFile=${signers}`]
  await repository.git(...settings, 'verify-commit', commit)
}
