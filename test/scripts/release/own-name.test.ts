import { nameProblem } from '../../../scripts/release/own-name';

describe('a name', () => {
  test.each([
    {
      name: 'that nobody has registered',
      user: 'ana',
      maintainers: undefined,
      problem: /^headstart is not registered, so anybody can/,
    },
    {
      name: 'of somebody else',
      user: 'ana',
      maintainers: ['bob', 'eve'],
      problem: /^headstart belongs to bob, eve, not to ana;/,
    },
    { name: 'that nobody can be asked about', user: undefined, maintainers: ['bob'], problem: /run npm login$/ },
  ])('$name is refused', ({ user, maintainers, problem }) => {
    expect(nameProblem('headstart', { user, maintainers })).toMatch(problem);
  });

  test('of ours is released', () => {
    expect(nameProblem('headstart', { user: 'ana', maintainers: ['bob', 'ana'] })).toBeUndefined();
  });
});
