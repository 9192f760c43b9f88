# SPDX-License-Identifier: MIT
"""GitHub's expressions, as far as our workflows use them. What is not known is an error, never a guess."""
import json
import re

TOKEN = re.compile(r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<number>\d+)|(?P<name>[A-Za-z_][\w-]*)"
                   r"|(?P<sign>&&|\|\||==|!=|[!().,\[\]]))")


class Unknown(Exception):
    """An expression that this reader does not understand."""


def split(text):
    """The tokens of an expression: (kind, text)."""
    tokens, at = [], 0
    text = text.strip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise Unknown(f'{text!r} at {text[at:]!r}')
        tokens.append((match.lastgroup, match.group(match.lastgroup)))
        at = match.end()
    return tokens


class Reader:
    """Reads one expression from left to right: || binds least, then &&, then == and !=, then !."""

    def __init__(self, text, contexts, functions):
        self.text, self.tokens, self.at = text, split(text), 0
        self.contexts, self.functions = contexts, functions

    def next_is(self, *signs):
        if self.at < len(self.tokens) and self.tokens[self.at] in [('sign', s) for s in signs]:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def want(self, sign):
        if not self.next_is(sign):
            raise Unknown(f'{self.text!r}: no {sign} where one must be')

    def whole(self):
        value = self.either()
        if self.at != len(self.tokens):
            raise Unknown(f'{self.text!r}: something is left over')
        return value

    def either(self):
        value = self.both()
        while self.next_is('||'):
            other = self.both()
            value = value or other
        return value

    def both(self):
        value = self.equal()
        while self.next_is('&&'):
            other = self.equal()
            value = value and other
        return value

    def equal(self):
        value = self.single()
        sign = self.next_is('==', '!=')
        if not sign:
            return value
        other = self.single()
        # null and the empty text are equal, as on GitHub
        same = (value or '') == (other or '') if '' in (value, other) or None in (value, other) else value == other
        return same if sign == '==' else not same

    def single(self):
        if self.next_is('!'):
            return not self.single()
        if self.next_is('('):
            value = self.either()
            self.want(')')
        else:
            value = self.named()
        while sign := self.next_is('.', '['):
            if sign == '.':
                key = self.tokens[self.at][1]
                self.at += 1
            else:
                key = self.either()
                self.want(']')
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def named(self):
        if self.at >= len(self.tokens):
            raise Unknown(f'{self.text!r} ends too early')
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == 'text':
            return text[1:-1].replace("''", "'")
        if kind == 'number':
            return int(text)
        if kind != 'name':
            raise Unknown(f'{self.text!r}: {text} is not expected')
        if text in ('true', 'false', 'null'):
            return {'true': True, 'false': False, 'null': None}[text]
        if not self.next_is('('):
            if text not in self.contexts:
                raise Unknown(f'{self.text!r}: no context {text}')
            return self.contexts[text]
        arguments = []
        while not self.next_is(')'):
            arguments.append(self.either())
            if not self.next_is(','):
                self.want(')')
                break
        if text not in self.functions:
            raise Unknown(f'{self.text!r}: no function {text}')
        return self.functions[text](*arguments)


def shown(value):
    """A value as text, as GitHub writes it into a workflow."""
    if value is None:
        return ''
    if isinstance(value, bool):
        return 'true' if value else 'false'
    return str(value)


BASIC = {
    'format': lambda text, *values: re.sub(r'\{(\d+)\}', lambda m: shown(values[int(m.group(1))]), text),
    'fromJSON': json.loads,
}


def evaluate(text, contexts, functions=None):
    """The value of an expression without its ${{ }}."""
    return Reader(text, contexts, {**BASIC, **(functions or {})}).whole()


def expand(value, contexts, functions=None):
    """Put values for every ${{ }} in a text, or in the texts of a list or mapping. A text that is one
    expression and nothing else becomes its value."""
    if isinstance(value, dict):
        return {key: expand(item, contexts, functions) for key, item in value.items()}
    if isinstance(value, list):
        return [expand(item, contexts, functions) for item in value]
    if not isinstance(value, str):
        return value
    only = re.fullmatch(r'\$\{\{(.*?)\}\}', value.strip(), re.S)
    if only and '${{' not in only.group(1):
        return evaluate(only.group(1), contexts, functions)
    return re.sub(r'\$\{\{(.*?)\}\}', lambda m: shown(evaluate(m.group(1), contexts, functions)), value, flags=re.S)
