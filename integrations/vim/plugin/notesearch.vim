" :Notes QUERY lists the sections of notes that it finds in the quickfix window.

if exists('g:loaded_notesearch') || !(has('job') || has('nvim'))
  finish
endif
let g:loaded_notesearch = 1

command! -nargs=+ Notes call s:find(<q-args>)

let s:query = 0

function! s:find(query) abort
  if !executable('notesearch')
    echohl ErrorMsg | echo 'notesearch was not found: install it, or add its folder to PATH.' | echohl None
    return
  endif
  let s:query += 1
  let l:command = ['notesearch', 'search', '--format', 'line', '--', a:query]
  let l:number = s:query
  let l:lines = []
  if has('nvim')
    call jobstart(l:command, {'stdout_buffered': 1,
      \ 'on_stdout': {_, lines, __ -> s:show(lines, a:query, l:number)}})
  else
    call job_start(l:command, {'out_cb': {_, line -> add(l:lines, line)},
      \ 'close_cb': {_ -> s:show(l:lines, a:query, l:number)}})
  endif
endfunction

" Shows the lines, unless a newer query was asked.
function! s:show(lines, query, number) abort
  if a:number != s:query
    return
  endif
  call setqflist([], ' ', {'lines': filter(copy(a:lines), 'v:val != ""'),
    \ 'efm': '%f:%l: %m', 'title': 'Notes: ' . a:query})
  copen
endfunction
